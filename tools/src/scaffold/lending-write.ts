import { type Carried, carried, type FoundCall } from './contract-abi.ts'
import { withImports } from './imports.ts'
import type { OperationNames } from './names.ts'

interface Field {
  readonly name: string
  readonly how: Carried
}

const fieldsOf = (inputs: FoundCall['function']['inputs'] | FoundCall['event']['inputs']): Field[] =>
  inputs.map((input) => ({ name: input.name ?? '', how: carried(input) }))

const lines = (fields: readonly Field[], show: (field: Field) => string) => fields.map(show).join('\n')

/** What a caller names and the event repeats: a confirmation compares it. */
function compared(asked: readonly Field[], said: readonly Field[]): Field[] {
  const names = new Set(said.map(({ name }) => name))
  return asked.filter(({ name }) => names.has(name))
}

/** The operation, added to the wire file of its resource. */
export function addOperation(source: string, { operation, stem, words }: OperationNames, call: FoundCall): string {
  const asked = fieldsOf(call.function.inputs)
  const said = fieldsOf(call.event.inputs)
  const declared = `
const ${operation}Fields = {
${lines(asked, ({ name, how }) => `  ${name}: ${how.schema},`)}
} as const

export const ${operation} = defineOperation({
  ...lendingPath('/markets/{marketId}/${stem}'),
  id: '${operation}',
  method: 'POST',
  scope: 'lending:write',
  summary: '${words}',
  description: 'Builds \`${call.function.name}\`. With \`txHash\`: confirms it.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body(${operation}Fields),
      data: Data({ ...builtA, description: Type.String(), confirmWith: ConfirmWith }),
      errors: { ...deployedMarketErrors, ...validationErrors, ...unreadableErrors },
    },
    confirm: {
      body: Body({ ...${operation}Fields, txHash: Hash }),
      data: Data({
        txHash: Type.String(),
        ...verifiedBy,
${lines(said, ({ name, how }) => `        ${name}: ${how.shown},`)}
      }),
      errors: { ...deployedMarketErrors, ...validationErrors, ...transactionErrors },
    },
  },
})
`
  const used = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(declared))
  const imports: [string, readonly string[]][] = [
    ['typebox', ['Type']],
    ['../define-operation.ts', ['defineOperation']],
    ['../primitives.ts', used(['Address', 'Hash', 'LowercaseAddress'])],
    ['./lending.errors.ts', ['deployedMarketErrors', 'transactionErrors', 'unreadableErrors', 'validationErrors']],
    ['./lending.operation.ts', ['Body', 'Data', 'lendingPath', 'MarketPath', 'marketIdCode']],
    ['./lending.schemas.ts', used(['builtA', 'ConfirmWith', 'IntegerString', 'verifiedBy'])],
  ]
  return imports.reduce((text, [from, names]) => withImports(text, from, names), source) + declared
}

/** The write itself: it passes on what it is given, and leaves what to refuse to its author. */
export function renderWrite({ operation, words }: OperationNames, call: FoundCall): string {
  const asked = fieldsOf(call.function.inputs)
  const said = fieldsOf(call.event.inputs)
  const value = ({ name, how }: Field) => how.toCall(`body.${name}`)
  const checked = compared(asked, said)
  const viem = asked.some(({ how }) => how.schema === 'Address') ? `import type { Address } from 'viem'\n` : ''
  return `import { lendingOperations } from '@tallystick/wire'
${viem}import { at, marketWrite } from '../core/index.ts'

/** ${words}. */
export const ${operation} = marketWrite(lendingOperations.${operation}, {
  call: at('${call.contract}', '${call.function.name}', '${call.event.name}'),

  async build({ chain${asked.length > 0 ? ', body' : ''} }) {
    return {
      block: await chain.latest(),
      signer: null,
      args: {
${lines(asked, (field) => `        ${field.name}: ${value(field)},`)}
      },
      answer: { description: '${words}.' },
    }
  },

  expect: (${checked.length > 0 ? '{ body }' : ''}) => ({
${lines(checked, (field) => `    ${field.name}: ${value(field)},`)}
  }),

  proven: ({ effect }) => ({
${lines(said, ({ name, how }) => `    ${name}: ${how.toAnswer(`effect.${name}`)},`)}
  }),
})
`
}

/** The write in the list of its folder. Null: the list has a form of its own, and the author adds it. */
export function addToFace(source: string, { operation, stem }: OperationNames): string | null {
  const end = source.lastIndexOf('\n  ]\n') >= 0 ? source.lastIndexOf('\n  ]\n') : source.lastIndexOf('\n]\n')
  if (end < 0) return null
  const listed = `${source.slice(0, end)}\n    ${operation}(parts),${source.slice(end)}`
  return withImports(listed, `./${stem}.write.ts`, [operation])
}

/** Its first test: from the request to the confirmed answer, and every code that all such writes share. */
export function renderTest({ stem, words }: OperationNames, call: FoundCall): string {
  const asked = fieldsOf(call.function.inputs)
  return `import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'

describe('${words.toLowerCase()}', () => {
  let world: ProxiedWorld
  let market: LiveMarket
  let body: Record<string, unknown>

  beforeAll(async () => {
    world = await createProxiedWorld()
    market = await createMarketLife(world).adopted()
    body = {
${lines(asked, ({ name, how }) => `      ${name}: ${how.sample},`)}
    }
  })
  afterAll(() => world.close())

  const post = (more: Record<string, unknown> = {}, marketId = market.marketId) =>
    world.deployer.post(\`\${V2}/markets/\${marketId}/${stem}\`, { ...body, ...more })
  async function refused(answering: ReturnType<typeof post>, status: number, code: string) {
    const answer = await answering
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  }

  it('refuses fields and markets that it does not know, and a hash that proves nothing', async () => {
    await refused(post({ unknown: 1 }), 400, 'VALIDATION_ERROR')
    await refused(post({ txHash: '0x12' }), 400, 'VALIDATION_ERROR')
    await refused(post({}, 'x'.repeat(101)), 400, 'MISSING_MARKET_ID')
    await refused(post({}, '01890000-0000-7000-8000-000000000000'), 404, 'MARKET_NOT_FOUND')
    await world.withoutNode(() => refused(post(), 503, 'MARKET_STATE_UNAVAILABLE'))
    const confirm = (txHash: Hex) => post({ txHash })
    await expectTransactionFaults(world, { confirm, target: market.${call.contract === 'market' ? 'marketAddress' : call.contract} })
  })

  it('builds a call, and proves it by its event', async () => {
    const { transaction } = must(await post()).body.data
    const hash = await world.node.walletClient.sendTransaction({
      account: world.deployer.wallet,
      to: transaction.to,
      data: transaction.data,
    })
    await world.node.publicClient.waitForTransactionReceipt({ hash })
    expect(must(await post({ txHash: hash })).body.data).toMatchObject({ txHash: hash })
  })
})
`
}
