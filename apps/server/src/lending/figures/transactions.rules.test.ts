import { lendingOperations } from '@tallystick/wire'
import type { AbiEvent } from 'viem'
import { describe, expect, it } from 'vitest'
import { abis, type ContractKind } from '../contracts.ts'
import { lineKinds } from './transactions.rules.ts'

const kinds = lineKinds({ address: `0x${'1'.repeat(40)}` })

function eventOf(operation: string): AbiEvent | undefined {
  const [contract = '', name] = operation.split('.')
  const abi = abis[contract as ContractKind] ?? []
  return (abi as readonly { type: string; name?: string }[]).find(
    (item) => item.type === 'event' && item.name === name,
  ) as AbiEvent | undefined
}

describe('the lines of the ledger', () => {
  it.each(kinds.map((kind) => [`${kind.operation} ${kind.txType}`, kind] as const))(
    '%s takes its figures from arguments that the event has',
    (_name, { operation, amounts, account, ofLoan, when }) => {
      const inputs = eventOf(operation)?.inputs.map(({ name }) => name) ?? []
      const wanted = [...amounts, account, ofLoan ? 'loanId' : null, when?.field].filter((name) => name)
      expect(inputs).toEqual(expect.arrayContaining(wanted))
      expect(eventOf(operation)).toBeDefined()
    },
  )

  it('are of every type that the interface lists', () => {
    const { enum: listed } = lendingOperations.listMarketTransactions.legs.read.data.properties.transactions.items
      .properties.txType as { enum: string[] }
    expect([...new Set(kinds.map(({ txType }) => txType))].toSorted()).toEqual(listed.toSorted())
  })
})
