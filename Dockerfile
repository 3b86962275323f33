# Cairn over HTTP, for a folder mounted at /notes:
#   docker build -t cairn .
#   docker run --rm -p 127.0.0.1:7331:7331 -v ~/notes:/notes cairn
# Only this machine reaches it so, and everybody on it may read and write. For a network, make a token
#   docker run --rm -v ~/notes:/notes cairn token create NAME --folder /notes
# and serve without --allow-anyone:
#   docker run --rm -p 7331:7331 -v ~/notes:/notes cairn serve /notes --http --host 0.0.0.0 --allow-host HOST
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm install --no-audit --no-fund && npm pack --pack-destination /tmp

FROM node:24-slim
COPY --from=build /tmp/cairn-kb-*.tgz /tmp/
RUN npm install --global --no-audit --no-fund /tmp/cairn-kb-*.tgz && rm /tmp/cairn-kb-*.tgz
# Files that are written belong to whoever owns the folder: run with --user "$(id -u):$(id -g)".
USER node
VOLUME /notes
EXPOSE 7331
ENTRYPOINT ["cairn"]
CMD ["serve", "/notes", "--http", "--host", "0.0.0.0", "--allow-anyone", "--allow-host", "localhost", "--allow-host", "127.0.0.1"]
