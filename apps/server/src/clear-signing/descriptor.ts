import type { AbiParameter } from 'viem'
import { describedFunctions, fragmentOf, type Hint, type Sentence, type SignedContract } from './contracts/sentence.ts'

/** Where the standard keeps the schema that names its version. */
export const STANDARD_SCHEMA = 'https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json'

export interface Field {
  readonly path: string
  readonly label: string
  readonly format: 'raw' | 'addressName' | 'tokenAmount' | 'date' | 'duration' | 'unit' | 'enum'
  readonly params?: Readonly<Record<string, unknown>>
}

export interface FunctionFormat {
  readonly $id: string
  readonly intent: string
  readonly interpolatedIntent: string
  readonly fields: readonly Field[]
}

export interface Deployment {
  readonly chainId: number
  readonly address: string
}

export interface Descriptor {
  readonly $schema: string
  readonly context?: {
    readonly $id: string
    readonly contract: {
      readonly deployments: readonly Deployment[]
      readonly factory?: { readonly deployEvent: string; readonly deployments: readonly Deployment[] }
    }
  }
  readonly metadata: {
    readonly owner: string
    readonly contractName: string
    readonly constants?: Readonly<Record<string, string | null>>
    readonly enums?: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
  readonly display: { readonly formats: Readonly<Record<string, FunctionFormat>> }
}

interface Leaf {
  readonly path: string
  readonly name: string
  readonly type: string
}

/** Every value that a call carries: none is left out of what a signer can see. */
function leavesOf(parameters: readonly AbiParameter[], under = ''): Leaf[] {
  return parameters.flatMap((parameter): Leaf[] => {
    const name = parameter.name ?? ''
    const path = `${under}${name}`
    if (!('components' in parameter) || !parameter.type.startsWith('tuple'))
      return [{ path: parameter.type.endsWith('[]') ? `${path}.[]` : path, name, type: parameter.type }]
    return leavesOf(parameter.components, parameter.type.endsWith('[]') ? `${path}.[].` : `${path}.`)
  })
}

const byName: readonly (readonly [RegExp, Hint])[] = [
  [/Bps$/, { unit: 'bps' }],
  [/(At|[uU]ntil|[eE]xpiry|deadline|timestamp)$/, { time: 'date' }],
  [/(Duration|gracePeriod)$/, { time: 'duration' }],
]

function hintFor({ path, name, type }: Leaf, said: Sentence): Hint | undefined {
  const plain = name.replace(/_$/, '')
  return said.fields?.[path] ?? (/^u?int/.test(type) ? byName.find(([form]) => form.test(plain))?.[1] : undefined)
}

/** `maxLoanDuration_` as people write it. */
function labelOf({ path }: Leaf): string {
  const words = path
    .replaceAll('.[]', '')
    .replace(/_(?=\.|$)/g, '')
    .replaceAll('.', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/\bBps\b/gi, '')
    .toLowerCase()
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const tokenParams = ({ token, unlimited }: Extract<Hint, { token: string }>) => ({
  ...(/^[#@]/.test(token) ? { tokenPath: token } : { token: `$.metadata.constants.${token}` }),
  ...(unlimited ? { threshold: `0x${'f'.repeat(64)}`, message: 'Unlimited' } : {}),
})

function fieldOf(leaf: Leaf, said: Sentence): Field {
  const { path, type } = leaf
  const field = { path, label: labelOf(leaf) }
  const hint = hintFor(leaf, said)
  if (hint === undefined) return { ...field, format: type.startsWith('address') ? 'addressName' : 'raw' }
  if ('raw' in hint) return { ...field, format: 'raw' }
  if ('token' in hint) return { ...field, format: 'tokenAmount', params: tokenParams(hint) }
  if ('words' in hint) return { ...field, format: 'enum', params: { $ref: `$.metadata.enums.${hint.name}` } }
  if ('unit' in hint)
    return {
      ...field,
      format: 'unit',
      params: { base: hint.unit, ...(hint.decimals === undefined ? {} : { decimals: hint.decimals }) },
    }
  return hint.time === 'date'
    ? { ...field, format: 'date', params: { encoding: 'timestamp' } }
    : { ...field, format: 'duration' }
}

const enumsOf = (said: readonly Sentence[]) =>
  Object.fromEntries(
    said
      .flatMap(({ fields = {} }) => Object.values(fields))
      .flatMap((hint) => ('words' in hint ? [[hint.name, hint.words] as const] : [])),
  )

/** What a wallet shows of every function of one kind of contract, as the standard writes it. It is bound to no address yet. */
export function descriptorOf(contract: SignedContract): Descriptor {
  const described = describedFunctions(contract)
  const enums = enumsOf(described.map(({ said }) => said))
  return {
    $schema: STANDARD_SCHEMA,
    metadata: {
      owner: 'Tallystick',
      contractName: contract.name,
      ...(contract.constants.length > 0
        ? { constants: Object.fromEntries(contract.constants.map((name) => [name, null])) }
        : {}),
      ...(Object.keys(enums).length > 0 ? { enums } : {}),
    },
    display: {
      formats: Object.fromEntries(
        described.map(({ item, said }) => [
          fragmentOf(item),
          {
            $id: item.name,
            intent: said.intent,
            interpolatedIntent: said.sentence,
            fields: leavesOf(item.inputs).map((leaf) => fieldOf(leaf, said)),
          },
        ]),
      ),
    },
  }
}

/** The same for one contract, whose tokens are known: now every amount has its decimals and its symbol. */
export function descriptorAt(
  contract: SignedContract,
  deployment: Deployment,
  tokens: Readonly<Record<string, string>>,
): Descriptor {
  const { $schema, metadata, display } = descriptorOf(contract)
  return {
    $schema,
    context: { $id: `${contract.name} ${deployment.address}`, contract: { deployments: [deployment] } },
    metadata: { ...metadata, constants: { ...metadata.constants, ...tokens } },
    display,
  }
}

/** The same for the contracts of one deployment: those on record, those that run an implementation on record, and those of the factory. */
export function boundDescriptor(
  contract: SignedContract,
  recorded: readonly (Deployment & { name: string })[],
): Descriptor {
  const at = (names: readonly string[]) =>
    recorded.filter(({ name }) => names.includes(name)).map(({ chainId, address }) => ({ chainId, address }))
  const deployments = at(contract.recordedAs)
  const factories = contract.factory ? at([contract.factory.recordedAs]) : []
  const { $schema, ...rest } = descriptorOf(contract)
  if (deployments.length + factories.length === 0) return { $schema, ...rest }
  return {
    $schema,
    context: {
      $id: contract.name,
      contract: {
        deployments,
        ...(contract.factory && factories.length > 0
          ? { factory: { deployEvent: contract.factory.deployEvent, deployments: factories } }
          : {}),
      },
    },
    ...rest,
  }
}
