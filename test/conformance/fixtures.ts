/**
 * What the official conformance suite expects to find on a server: tools, resources and prompts
 * that return known values and use parts of the protocol the product itself does not need.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type ContentBlock,
  type ElicitRequestFormParams,
  type GetPromptResult,
  type InputRequiredResult,
  type PrimitiveSchemaDefinition,
  type PromptArgument,
  type PromptMessage,
  type ReadResourceResult,
  type RequestMethod,
  type RequestTypeMap,
  type Server,
  type ServerCapabilities,
  type ServerContext,
  type ServerOptions,
  type Tool,
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server'
import { invalid } from '../../src/core/domain/error.ts'
import type { SurfaceEvent } from '../../src/serve/door/surface.ts'
import {
  type Handler,
  type Handlers,
  envelopeValue,
} from '../../src/serve/transports/mcp/handlers.ts'
import type { Extension } from '../../src/serve/transports/mcp/mcp-server.ts'

const state = createRequestStateCodec<string>({ key: randomBytes(32) })

/** What a server with fixtures is constructed with, besides its own options. */
const options: ServerOptions = {
  capabilities: {
    logging: {},
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    completions: {},
  } satisfies ServerCapabilities,
  requestState: { verify: state.verify },
}

export const conformanceFixtures: Extension = {
  options,
  handlers: withFixtures,
  inputSchema: (name) => TOOLS.find((tool) => tool.name === name)?.inputSchema,
}

/** The handlers of a surface, extended: fixtures are listed after what the surface has. */
function withFixtures(
  own: Handlers,
  server: Server,
  publish: (event: SurfaceEvent) => void,
): Handlers {
  return {
    ...own,
    'tools/list': async (request, context) => {
      const listed = await own['tools/list']?.(request, context)
      return { ...listed, tools: [...(listed?.tools ?? []), ...TOOLS.map(presentTool)] }
    },
    'tools/call': (request, context) => {
      const { name, arguments: args = {} } = request.params
      const fixture = TOOLS.find((tool) => tool.name === name)
      if (fixture) return fixture.call({ args, context, server, publish })
      return forward<'tools/call'>(own['tools/call'], request, context)
    },
    'resources/list': async (request, context) => {
      const listed = await own['resources/list']?.(request, context)
      // On the last page, so that each is listed once.
      const added = listed?.nextCursor === undefined ? RESOURCES.map(presentResource) : []
      return { ...listed, resources: [...(listed?.resources ?? []), ...added] }
    },
    'resources/templates/list': async (request, context) => {
      const listed = await own['resources/templates/list']?.(request, context)
      const added = { uriTemplate: 'test://template/{id}/data', name: 'template', ...JSON_TYPE }
      return { ...listed, resourceTemplates: [...(listed?.resourceTemplates ?? []), added] }
    },
    'resources/read': (request, context) => {
      const contents = fixtureContents(request.params.uri)
      return contents
        ? { contents }
        : forward<'resources/read'>(own['resources/read'], request, context)
    },
    'prompts/list': async (request, context) => {
      const listed = await own['prompts/list']?.(request, context)
      const added = listed?.nextCursor === undefined ? PROMPTS.map(presentPrompt) : []
      return { ...listed, prompts: [...(listed?.prompts ?? []), ...added] }
    },
    'prompts/get': (request, context) => {
      const { name, arguments: args = {} } = request.params
      const fixture = PROMPTS.find((prompt) => prompt.name === name)
      return fixture
        ? fixture.get(args, context)
        : forward<'prompts/get'>(own['prompts/get'], request, context)
    },
    'completion/complete': (request, context) => {
      const { ref, argument } = request.params
      const known =
        ref.type === 'ref/prompt'
          ? PROMPTS.some((prompt) => prompt.name === ref.name)
          : ref.uri.startsWith('test://')
      if (!known)
        return forward<'completion/complete'>(own['completion/complete'], request, context)
      const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(argument.value))
      return { completion: { values, total: values.length, hasMore: false } }
    },
  }
}

function forward<M extends RequestMethod>(
  handler: Handler<M> | undefined,
  request: RequestTypeMap[M],
  context: ServerContext,
): ReturnType<Handler<M>> {
  if (!handler) throw invalid('There is no such fixture.', 'List what there is.')
  return handler(request, context)
}

interface FixtureCall {
  readonly args: Record<string, unknown>
  readonly context: ServerContext
  readonly server: Server
  readonly publish: (event: SurfaceEvent) => void
}

interface FixtureTool {
  readonly name: string
  readonly inputSchema: Tool['inputSchema']
  call(call: FixtureCall): Promise<CallToolResult | InputRequiredResult>
}

const NO_ARGUMENTS: Tool['inputSchema'] = { type: 'object', properties: {} }
const TEXT_TYPE = { mimeType: 'text/plain' }
const JSON_TYPE = { mimeType: 'application/json' }

/** One red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** A WAV header and no sound. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='

const IMAGE: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' }

function says(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

/** A tool that always returns the same. */
function constant(name: string, ...content: ContentBlock[]): FixtureTool {
  return { name, inputSchema: NO_ARGUMENTS, call: async () => ({ content }) }
}

function tool(
  name: string,
  call: FixtureTool['call'],
  inputSchema: Tool['inputSchema'] = NO_ARGUMENTS,
): FixtureTool {
  return { name, inputSchema, call }
}

function taking(property: string): Tool['inputSchema'] {
  return { type: 'object', properties: { [property]: { type: 'string' } }, required: [property] }
}

/** Asks for a form until it was answered; the SDK finds the wire for the question in each era. */
function asks(
  name: string,
  key: string,
  form: (args: FixtureCall['args']) => ElicitRequestFormParams,
  answer: (content: Record<string, unknown>, action: string) => string,
  inputSchema?: Tool['inputSchema'],
): FixtureTool {
  const call = async ({ args, context }: FixtureCall) => {
    const response = inputResponse(context.mcpReq.inputResponses, key)
    const { requestedSchema, ...rest } = form(args)
    // An answer that lacks what was asked for is no answer.
    const needed = requestedSchema.required ?? []
    const answered =
      response.kind === 'elicit' && needed.every((field) => response.content?.[field] !== undefined)
    if (!answered) {
      const elicit = inputRequired.elicit({ ...rest, requestedSchema })
      return inputRequired({ inputRequests: { [key]: elicit } })
    }
    return says(answer(response.content ?? {}, response.action))
  }
  return tool(name, call, inputSchema)
}

function form(
  message: string,
  field: string,
  schema: PrimitiveSchemaDefinition = { type: 'string' },
) {
  const requestedSchema = {
    type: 'object' as const,
    properties: { [field]: schema },
    required: [field],
  }
  return inputRequired.elicit({ message, requestedSchema })
}

function sampling(text: string, maxTokens: number) {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }]
  return inputRequired.createMessage({ messages, maxTokens })
}

/** Asks for several things at once and remembers, signed, that it did. */
function asksWithState(
  name: string,
  requests: Record<string, ReturnType<typeof form>>,
  done: string,
): FixtureTool {
  return tool(name, async ({ context }) => {
    const { inputResponses, requestState } = context.mcpReq
    const missing = Object.keys(requests).some(
      (key) => inputResponse(inputResponses, key).kind === 'missing',
    )
    if (requestState<string>() === name && !missing) return says(done)
    return inputRequired({ inputRequests: requests, requestState: await state.mint(name) })
  })
}

const TOOLS: readonly FixtureTool[] = [
  constant('test_simple_text', {
    type: 'text',
    text: 'This is a simple text response for testing.',
  }),
  constant('test_image_content', IMAGE),
  constant('test_audio_content', { type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  constant('test_embedded_resource', {
    type: 'resource',
    resource: {
      uri: 'test://embedded-resource',
      text: 'This is an embedded resource content.',
      ...TEXT_TYPE,
    },
  }),
  constant(
    'test_multiple_content_types',
    { type: 'text', text: 'Multiple content types test:' },
    IMAGE,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        text: '{"test":"data","value":123}',
        ...JSON_TYPE,
      },
    },
  ),
  tool('test_error_handling', async () => ({
    ...says('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  tool('test_tool_with_logging', async ({ context }) => {
    for (const step of ['started', 'processing data', 'completed']) {
      const prefix = step === 'processing data' ? 'Tool' : 'Tool execution'
      await context.mcpReq.log('info', `${prefix} ${step}`)
      await delay(50)
    }
    return says('Logged three messages.')
  }),
  tool('test_logging_tool', async ({ context }) => {
    await context.mcpReq.log('info', 'Only for clients that asked for it')
    return says('Logged where wanted.')
  }),
  tool('test_tool_with_progress', async ({ context: { mcpReq } }) => {
    const { _meta: meta } = mcpReq
    const progressToken = meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 }
        await mcpReq.notify({ method: 'notifications/progress', params })
      }
      await delay(50)
    }
    return says('Reported progress.')
  }),
  tool(
    'test_sampling',
    async ({ args, context }) => {
      const response = inputResponse(context.mcpReq.inputResponses, 'sample')
      if (response.kind !== 'sampling') {
        return inputRequired({ inputRequests: { sample: sampling(String(args.prompt), 100) } })
      }
      return says(`LLM response: ${JSON.stringify(response.result.content)}`)
    },
    taking('prompt'),
  ),
  asks(
    'test_elicitation',
    'user',
    ({ message }) => ({
      message: String(message),
      requestedSchema: {
        type: 'object',
        properties: {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        },
        required: ['username', 'email'],
      },
    }),
    (content, action) => `User response: action=${action}, content=${JSON.stringify(content)}`,
    taking('message'),
  ),
  asks(
    'test_elicitation_sep1034_defaults',
    'defaults',
    () => ({
      message: 'Please review the defaults.',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        },
      },
    }),
    completed,
  ),
  asks(
    'test_elicitation_sep1330_enums',
    'enums',
    () => ({
      message: 'Please choose.',
      requestedSchema: {
        type: 'object',
        properties: {
          untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
          titledSingle: { type: 'string', oneOf: titled('Option') },
          legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option One', 'Option Two', 'Option Three'],
          },
          untitledMulti: {
            type: 'array',
            items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
          },
          titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
        },
      },
    }),
    completed,
  ),
  tool('test_missing_capability', async () =>
    // The SDK refuses for clients that did not declare sampling, which is the point.
    inputRequired({ inputRequests: { sample: sampling('Anything', 10) } }),
  ),
  tool('test_streaming_elicitation', async () =>
    inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } }),
  ),
  tool('test_trigger_tool_change', async ({ publish }) => {
    publish({ kind: 'tools_changed' })
    return says('Announced.')
  }),
  tool('test_trigger_prompt_change', async ({ publish }) => {
    publish({ kind: 'prompts_changed' })
    return says('Announced.')
  }),
  asks(
    'test_input_required_result_elicitation',
    'user_name',
    () => ({
      message: 'What is your name?',
      requestedSchema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      },
    }),
    ({ name }) => `Hello, ${String(name)}!`,
  ),
  tool('test_input_required_result_sampling', async ({ context }) => {
    const response = inputResponse(context.mcpReq.inputResponses, 'capital_question')
    if (response.kind === 'sampling') return says(JSON.stringify(response.result.content))
    const capital_question = sampling('What is the capital of France?', 100)
    return inputRequired({ inputRequests: { capital_question } })
  }),
  tool('test_input_required_result_list_roots', async ({ context }) => {
    const response = inputResponse(context.mcpReq.inputResponses, 'client_roots')
    if (response.kind === 'roots') return says(JSON.stringify(response.roots))
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  }),
  asksWithState(
    'test_input_required_result_request_state',
    { confirm: form('Please confirm', 'ok', { type: 'boolean' }) },
    'state-ok',
  ),
  asksWithState(
    'test_input_required_result_tampered_state',
    { confirm: form('Please confirm', 'ok', { type: 'boolean' }) },
    'state-ok',
  ),
  asksWithState(
    'test_input_required_result_multiple_inputs',
    {
      user_name: form('What is your name?', 'name'),
      greeting: sampling('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    },
    'All three were answered.',
  ),
  tool('test_input_required_result_multi_round', async ({ context }) => {
    const { inputResponses, requestState } = context.mcpReq
    const round = requestState<string>()
    if (round === 'second' && acceptedContent(inputResponses, 'step2'))
      return says('Both answered.')
    const [step, next] =
      round === 'first' && acceptedContent(inputResponses, 'step1')
        ? [{ step2: form('Step 2: What is your favorite color?', 'color') }, 'second']
        : [{ step1: form('Step 1: What is your name?', 'name') }, 'first']
    return inputRequired({ inputRequests: step, requestState: await state.mint(next) })
  }),
  tool('test_input_required_result_capabilities', async ({ context, server }) => {
    const declared = (envelopeValue(context, CLIENT_CAPABILITIES_META_KEY) ??
      server.getClientCapabilities()) as ClientCapabilities | undefined
    return inputRequired({
      inputRequests: {
        ...(declared?.elicitation && { user_name: form('What is your name?', 'name') }),
        ...(declared?.sampling && { greeting: sampling('Generate a greeting', 50) }),
      },
    })
  }),
  tool('json_schema_2020_12_tool', async () => says('Only its schema matters.'), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
  tool('test_mirrored_header', async ({ args }) => says(String(args.region)), {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  }),
]

function completed(content: Record<string, unknown>, action: string): string {
  return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`
}

function titled(noun: string): { const: string; title: string }[] {
  return ['First', 'Second', 'Third'].map((ordinal, at) => ({
    const: `value${at + 1}`,
    title: `${ordinal} ${noun}`,
  }))
}

const RESOURCES = [
  {
    uri: 'test://static-text',
    text: 'This is the content of the static text resource.',
    ...TEXT_TYPE,
  },
  { uri: 'test://static-binary', blob: PNG, mimeType: 'image/png' },
  { uri: 'test://watched-resource', text: 'Watched.', ...TEXT_TYPE },
]

function fixtureContents(uri: string): ReadResourceResult['contents'] | undefined {
  const fixed = RESOURCES.find((resource) => resource.uri === uri)
  if (fixed) return [fixed]
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined) return undefined
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return [{ uri, text, ...JSON_TYPE }]
}

interface FixturePrompt {
  readonly name: string
  readonly arguments: PromptArgument[]
  get(args: Record<string, string>, context: ServerContext): GetPromptResult | InputRequiredResult
}

function user(content: PromptMessage['content']): PromptMessage {
  return { role: 'user', content }
}

function userText(text: string): PromptMessage {
  return user({ type: 'text', text })
}

const PROMPTS: readonly FixturePrompt[] = [
  {
    name: 'test_simple_prompt',
    arguments: [],
    get: () => ({ messages: [userText('This is a simple prompt for testing.')] }),
  },
  {
    name: 'test_prompt_with_arguments',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
    get: ({ arg1, arg2 }) => ({
      messages: [userText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    arguments: [{ name: 'resourceUri', required: true }],
    get: ({ resourceUri = 'test://static-text' }) => ({
      messages: [
        user({
          type: 'resource',
          resource: {
            uri: resourceUri,
            text: 'Embedded resource content for testing.',
            ...TEXT_TYPE,
          },
        }),
        userText('Please process the embedded resource above.'),
      ],
    }),
  },
  {
    name: 'test_prompt_with_image',
    arguments: [],
    get: () => ({ messages: [user(IMAGE), userText('Please analyze the image above.')] }),
  },
  {
    name: 'test_input_required_result_prompt',
    arguments: [],
    get: (_args, { mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, 'user_context')
      if (given) return { messages: [userText(`Context: ${String(given.context)}`)] }
      const user_context = form('What context should the prompt use?', 'context')
      return inputRequired({ inputRequests: { user_context } })
    },
  },
]

function presentTool({ name, inputSchema }: FixtureTool): Tool {
  return { name, description: `Conformance fixture ${name}.`, inputSchema }
}

function presentResource({ uri, mimeType }: (typeof RESOURCES)[number]) {
  return { uri, name: uri, description: `Conformance fixture ${uri}.`, mimeType }
}

function presentPrompt({ name, arguments: args }: FixturePrompt) {
  return { name, description: `Conformance fixture ${name}.`, arguments: args }
}
