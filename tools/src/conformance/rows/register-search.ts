import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const search = testsIn('apps/server/src/register/search-issuers.route.test.ts', 'searching the register')
const many = testsIn('apps/server/src/register/search-issuers.route.test.ts', 'searching many entities')
const door = testsIn('apps/server/test/door.test.ts', 'the door of every operation')

const whole = search('answers entries, what it returned, and where from')
const gaps = search('shows null where the register says nothing')
const fields = search('looks into commercial names and authorities too')
const identifier = search('puts a whole identifier first, and finds it by its beginning and by any part')
const operation = 'searchIssuers'
const read = { operation, leg: 'read' } as const

export const registerSearchRows: readonly Row[] = [
  ...fieldRows({ ...read, section: '2.register', at: 'data[]' }, whole, {
    id: ['string', 'The same in every import.'],
    entityName: ['string', 'Legal name.'],
    entityIdentifier: ['string|null', 'Legal entity identifier.', gaps],
    licenseType: ['string', 'CASP, for example.'],
    entityType: ['string', 'provider, for example.'],
    country: ['string|null', 'Home state.', gaps],
    countryCode: ['string|null', 'Its code.', gaps],
    nationalAuthority: ['string|null', 'Who authorised it.', gaps],
    authorizationDate: ['string|null', 'ISO 8601.', gaps],
    status: ['string', 'active, for example.'],
  }),
  row('4.8/q-required', 'q is required.', search('refuses no q')),
  row(
    '4.8/q-name',
    'q is matched against the name.',
    search('puts prefixes before prefixes of words before any part, each by name'),
  ),
  row('4.8/q-identifier', 'q is matched against the identifier.', identifier),
  row('4.8/q-commercial-name', 'q is matched against the commercial name.', fields),
  row('4.8/q-authority', 'q is matched against the national authority.', fields),
  ...fieldRows({ ...read, section: '4.8', at: 'pagination' }, whole, {
    total: ['integer', 'How many entries were returned.', search('holds the limit')],
    returned: ['integer', 'The same number.', search('holds the limit')],
    query: ['string', 'q, trimmed.'],
  }),
  ...fieldRows({ ...read, section: '4.8', at: 'metadata' }, whole, {
    source: ['string', 'Where the answer comes from.'],
    timestamp: ['string', 'When it was answered.'],
  }),
  row('4.8/array', '`data` is an array of entries.', whole, { kind: 'field', ...read, field: 'data', types: 'array' }),
  row(
    '5/register-key',
    'The register takes a key in the same header.',
    door('searchIssuers opens to a register key too, and names no instance then'),
  ),
  row(
    '8/q-length',
    'q has 2 to 200 characters.',
    search('refuses one character'),
    search('refuses 201 characters'),
    search('takes 200 characters once trimmed, even of letters that unfold into many'),
  ),
  row(
    '8/search-limit-default',
    'limit is 20 by default.',
    many('gives twenty unless told, and never more than a hundred'),
  ),
  row('8/search-limit-cap', 'limit is capped at 100.', many('gives twenty unless told, and never more than a hundred')),
  row(
    '7/4.8/says-how-many',
    'The message says how many characters are needed.',
    search('says how many characters are needed'),
  ),
  ...codeRows('7/4.8', operation, 'read', { VALIDATION_ERROR: [400, 'q is shorter than 2 characters'] }),
]
