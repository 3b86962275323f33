import { expect, it } from 'vitest'
import { parseStoreAddress } from '../../core/domain/store-address.ts'
import { explained, unusable } from './explain-trouble.ts'

const address = parseStoreAddress(
  'postgres://cairn:geheim@db/notes?sslmode=verify-full&sslrootcert=/etc/ca.pem',
)

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Host: db. is not in the cert'],
  ['CERT_HAS_EXPIRED', 'certificate has expired'],
])('says what a certificate lacks: %s', (code, message) => {
  expect(explained(Object.assign(new Error(message), { code }), address)).toMatchObject({
    message: `The certificate of PostgreSQL at db:5432 is not accepted: ${message}.`,
    hint: expect.stringContaining('sslrootcert=FILE'),
  })
})

it.each(['40P01', '40001'])('says that what stood in the way can be tried again: %s', (code) => {
  expect(explained(Object.assign(new Error('deadlock detected'), { code }), address)).toMatchObject(
    {
      code: 'unavailable',
      message: expect.stringContaining('stood in the way'),
      hint: 'Nothing was changed. Try again in a moment.',
    },
  )
})

it.each([
  ['53300', 'sorry, too many clients already', /max_connections is reached/, /postgresql\.conf/],
  [
    '53300',
    'remaining connection slots are reserved for roles with the SUPERUSER attribute',
    /max_connections is reached/,
    /pgbouncer in transaction mode/,
  ],
  ['53300', 'too many connections for role "few"', /The role "few"/, /ALTER ROLE "few" CONN/],
  ['53300', 'too many connections for database "d"', /database "d"/, /ALTER DATABASE "d" CONN/],
  [
    '08P01',
    'no more connections allowed (max_client_conn)',
    /pgbouncer .* max_client_conn is reached/,
    /Raise max_client_conn in pgbouncer\.ini/,
  ],
  ['08P01', 'query_wait_timeout', /no connection .* free/, /default_pool_size/],
])('names the limit of connections that was reached: %s %s', (code, text, what, hint) => {
  expect(explained(Object.assign(new Error(text), { code }), address)).toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(what),
    hint: expect.stringMatching(hint),
  })
})

it('says that the file of a certificate cannot be read', () => {
  const error = Object.assign(new Error('ENOENT: no such file'), {
    code: 'ENOENT',
    path: '/etc/ca.pem',
  })
  expect(explained(error, address)).toMatchObject({
    message: 'The certificate for PostgreSQL cannot be read: ENOENT: no such file.',
  })
})

it('shows no password, whatever the driver says', () => {
  const error = unusable(new Error('what is postgres://cairn:geheim@db/notes?'), address)
  expect(error.message).toContain('The database "notes" of PostgreSQL at db:5432 cannot be used')
  expect(error.message).not.toContain('geheim')
})
