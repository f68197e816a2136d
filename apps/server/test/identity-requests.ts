const WALLET = `0x${'5'.repeat(40)}`
/** Nothing stands there: the answer is the same whether or not the deployment has a registry of its own. */
const registryAddress = `0x${'6'.repeat(40)}`
const ofWallet = { walletAddress: WALLET, registryAddress }

/** A plausible body for each operation of identity that takes one. */
export const identityBodies: Record<string, Record<string, unknown>> = {
  verifyIdentity: { ...ofWallet, country: 'DE', investorType: 'RETAIL' },
  batchVerifyIdentities: { entries: [{ walletAddress: WALLET, country: 'DE' }], registryAddress },
  revokeIdentity: ofWallet,
  addClaim: { ...ofWallet, claimType: 'AML', dataInput: 'screened' },
  revokeClaim: { ...ofWallet, claimType: 'AML' },
  attestProofs: { ...ofWallet, entries: [{ fieldName: 'country', proofDigest: `0x${'8'.repeat(64)}` }] },
  revokeProof: { ...ofWallet, claimType: 'KYC' },
  checkTransfer: { from: WALLET, to: `0x${'7'.repeat(40)}`, amount: '1', registryAddress },
}
