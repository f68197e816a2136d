/** Written from the text of ERC-7730, version 2: what of it the descriptors use, and nothing besides. */
const internal = { type: 'string', minLength: 1 }
const shown = { type: 'string', minLength: 1, maxLength: 200 }
const address = { type: 'string', pattern: '^0x[0-9a-f]{40}$' }
/** Names and `[]`, joined by dots; the root `#` is implied. */
const argumentPath = { type: 'string', pattern: '^[A-Za-z]\\w*(\\.(\\[\\]|[A-Za-z]\\w*))*$' }
const deployments = {
  type: 'array',
  items: {
    type: 'object',
    properties: { chainId: { type: 'integer', minimum: 1 }, address },
    required: ['chainId', 'address'],
    additionalProperties: false,
  },
}

const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const mapOf = (values: unknown, keys?: string) => ({
  type: 'object',
  ...(keys ? { propertyNames: { pattern: keys } } : {}),
  additionalProperties: values,
})

const field = (format: string, params: unknown, required: readonly string[]) =>
  object({ path: argumentPath, label: shown, format: { const: format }, ...(params ? { params } : {}) }, [
    'path',
    'label',
    'format',
    ...required,
  ])

const fields = [
  field('raw', null, []),
  field('addressName', null, []),
  field('duration', null, []),
  field('date', object({ encoding: { enum: ['timestamp', 'blockheight'] } }), ['params']),
  field(
    'unit',
    object({ base: { type: 'string' }, decimals: { type: 'integer', minimum: 0, maximum: 255 } }, ['base']),
    ['params'],
  ),
  field('enum', object({ $ref: { type: 'string', pattern: '^\\$\\.metadata\\.enums\\.\\w+$' } }), ['params']),
  field(
    'tokenAmount',
    {
      ...object(
        {
          tokenPath: { type: 'string', pattern: '^(@\\.(from|to|value|chainId)|#\\.[\\w.\\[\\]]+)$' },
          token: { type: 'string', pattern: '^\\$\\.metadata\\.constants\\.\\w+$' },
          threshold: { type: 'string', pattern: '^0x[0-9a-f]+$' },
          message: shown,
        },
        [],
      ),
      oneOf: [{ required: ['tokenPath'] }, { required: ['token'] }],
    },
    ['params'],
  ),
]

export const descriptorSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'ERC-7730 descriptor of contract calls',
  ...object(
    {
      $schema: { type: 'string', format: 'uri-reference', minLength: 1 },
      context: object(
        {
          $id: internal,
          contract: object(
            {
              deployments,
              factory: object({ deployEvent: { type: 'string', pattern: '^\\w+\\(.*\\)$' }, deployments }),
            },
            ['deployments'],
          ),
        },
        ['contract'],
      ),
      metadata: object(
        {
          owner: shown,
          contractName: shown,
          constants: mapOf({ type: ['string', 'number', 'boolean', 'null'] }),
          enums: mapOf(mapOf(shown)),
        },
        ['owner'],
      ),
      display: object({
        formats: {
          // Types and names: exactly one space between them, none behind a comma.
          ...mapOf(
            object(
              {
                $id: internal,
                intent: { ...shown, maxLength: 40 },
                interpolatedIntent: shown,
                fields: { type: 'array', items: { anyOf: fields } },
              },
              ['intent', 'fields'],
            ),
            '^\\w+\\((?!.*, )(?!.*  ).*\\)$',
          ),
          minProperties: 1,
        },
      }),
    },
    ['$schema', 'metadata', 'display'],
  ),
}
