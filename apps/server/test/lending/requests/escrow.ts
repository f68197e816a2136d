const WALLET = `0x${'5'.repeat(40)}`

/** Bodies of the right form, by operation. */
export const escrowBodies: Record<string, Record<string, unknown>> = {
  claimEscrowedCollateral: { holderAddress: WALLET },
  claimSurplus: { holderAddress: WALLET },
  claimSurplusOfLostWallet: { lostWallet: WALLET },
  claimEscrowOfLostWallet: { lostWallet: WALLET },
  releaseRecovered: { lostWallet: WALLET, newWallet: WALLET },
}
