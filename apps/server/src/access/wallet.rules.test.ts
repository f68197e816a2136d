import { expect, it } from 'vitest'
import { challengeMessage } from './wallet.rules.ts'

const challenge = {
  instanceId: '01890000-0000-7000-8000-000000000001',
  chainId: 31_337,
  address: '0x00000000000000000000000000000000000000aa',
  nonce: 'abcdef',
  issuedAt: new Date('2026-03-01T10:00:00Z'),
  expiresAt: new Date('2026-03-01T10:10:00Z'),
}

it('names wallet, instance, chain, nonce and both times in the text to sign', () => {
  expect(challengeMessage(challenge)).toBe(
    [
      'Tallystick asks you to prove that you control this wallet.',
      'Signing moves no funds and grants no rights on chain.',
      '',
      'Wallet: 0x00000000000000000000000000000000000000aa',
      'Instance: 01890000-0000-7000-8000-000000000001',
      'Chain: 31337',
      'Nonce: abcdef',
      'Issued at: 2026-03-01T10:00:00.000Z',
      'Expires at: 2026-03-01T10:10:00.000Z',
    ].join('\n'),
  )
})

it('gives another text when any one of them differs', () => {
  const others = [
    { ...challenge, instanceId: '01890000-0000-7000-8000-000000000002' },
    { ...challenge, chainId: 1 },
    { ...challenge, address: '0x00000000000000000000000000000000000000ab' },
    { ...challenge, nonce: 'abcdee' },
    { ...challenge, issuedAt: new Date('2026-03-01T10:00:00.001Z') },
    { ...challenge, expiresAt: new Date('2026-03-01T10:10:00.001Z') },
  ]
  expect(new Set([challenge, ...others].map(challengeMessage)).size).toBe(others.length + 1)
})
