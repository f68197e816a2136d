import { lendingOperations } from '@tallystick/wire'
import { erc20Abi, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../platform/chain/chain.ts'
import { explainReverts } from '../platform/chain/reverts.ts'
import { typedCall } from '../platform/chain/typed-call.ts'
import type { TwoLegged } from '../platform/http/legs.ts'
import { type WriteParts, writesOf } from './write.ts'
import { pathBeside } from './write-legs.ts'

const call = typedCall('token', erc20Abi, 'approve', 'Approval')
const neverAsked = () => {
  throw new Error('nobody asked')
}

/** Puts a write together that calls a token, of a kind that knows these contracts. */
const approvalAmong = (targets: Record<string, () => typeof zeroAddress>) => () =>
  writesOf<TwoLegged, WriteParts, { readonly chain: Chain }>({
    find: neverAsked,
    targets,
    explain: explainReverts([], {}),
  }).of(lendingOperations.borrowMore, { call, build: neverAsked, expect: neverAsked, proven: neverAsked })

describe('a write of a kind', () => {
  it('is refused where it is put together when its kind has no such contract', () => {
    expect(approvalAmong({ market: () => zeroAddress })).toThrow('borrowMore: there is no token to call')
  })

  it('is a route of its operation when its kind has one', () => {
    expect(approvalAmong({ token: () => zeroAddress })()).toBeTypeOf('function')
  })
})

describe('a build that another operation confirms', () => {
  const pathsOf = ({ path, alsoAt }: { path: string; alsoAt: readonly string[] }) => [path, ...alsoAt]
  const { proposeExtension, confirmExtensionTransaction } = lendingOperations

  it.each(pathsOf(proposeExtension).map((mountedAt, at) => [mountedAt, at] as const))(
    'names it under the prefix that was called: %s',
    (mountedAt, at) => {
      expect(pathBeside(mountedAt, confirmExtensionTransaction)).toBe(pathsOf(confirmExtensionTransaction)[at])
    },
  )
})
