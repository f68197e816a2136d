import { stocksOperations } from '@tallystick/wire'
import { zeroAddress } from 'viem'
import { asAddress, requireFields } from '../records/index.ts'
import { onToken } from './calls.ts'
import { signers } from './signers.reads.ts'
import { stockWrite } from './stock-write.ts'
import { expectedAddress } from './write-fields.ts'

interface RegistryBody {
  readonly identityRegistry?: string
}

const newRegistryOf = (body: RegistryBody) =>
  asAddress('identityRegistry', requireFields(body, 'identityRegistry').identityRegistry)
const expected = (body: RegistryBody) => ({ newRegistry: expectedAddress('identityRegistry', body.identityRegistry) })

/** Zero takes back what was announced. */
const announced = (newRegistry: `0x${string}`) => ({
  identityRegistry: newRegistry === zeroAddress ? null : newRegistry,
})

export const announceIdentityRegistry = stockWrite(stocksOperations.announceIdentityRegistry, {
  call: onToken('announceIdentityRegistry', 'IdentityRegistryAnnounced'),
  signer: signers.issuer,
  ask(body) {
    const newRegistry = newRegistryOf(body)
    return { args: { newRegistry }, done: announced(newRegistry) }
  },
  expect: expected,
  report: ({ effect }) => announced(effect.newRegistry),
})

export const setIdentityRegistry = stockWrite(stocksOperations.setIdentityRegistry, {
  call: onToken('setIdentityRegistry', 'IdentityRegistryUpdated'),
  signer: signers.issuer,
  ask(body) {
    const newRegistry = newRegistryOf(body)
    return { args: { newRegistry }, done: { identityRegistry: newRegistry } }
  },
  expect: expected,
  report: ({ effect }) => ({ identityRegistry: effect.newRegistry }),
})
