export const MAX_WALLETS = 10
export const CHALLENGE_TTL_MS = 10 * 60 * 1000

/** The exact text that a wallet signs. It names everything the signature is good for, so it is good for nothing else. */
export function challengeMessage(challenge: {
  readonly instanceId: string
  readonly chainId: number
  readonly address: string
  readonly nonce: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}): string {
  return [
    'Tallystick asks you to prove that you control this wallet.',
    'Signing moves no funds and grants no rights on chain.',
    '',
    `Wallet: ${challenge.address}`,
    `Instance: ${challenge.instanceId}`,
    `Chain: ${challenge.chainId}`,
    `Nonce: ${challenge.nonce}`,
    `Issued at: ${challenge.issuedAt.toISOString()}`,
    `Expires at: ${challenge.expiresAt.toISOString()}`,
  ].join('\n')
}
