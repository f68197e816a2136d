const ADDRESS = `0x${'5'.repeat(40)}`
const ACCOUNT = { account: `0x${'6'.repeat(40)}` }
const HOLDING = { ...ACCOUNT, amount: '1' }

/** The check digit is wrong: refused for good, before any chain is asked. */
const terms = { name: 'Nordlicht Windpark AG', symbol: 'NORD', isin: 'DE000A1EWWW1', issuerAddress: ADDRESS }

/** A plausible body for each operation of stocks that takes one. */
export const stocksBodies: Record<string, Record<string, unknown>> = {
  deployStock: terms,
  logStockDeployment: { ...terms, tokenAddress: ADDRESS, deployTxHash: `0x${'7'.repeat(64)}` },
  issueShares: { recipient: ACCOUNT.account, amount: '1' },
  batchIssueShares: { recipients: [ACCOUNT.account], amounts: ['1'] },
  redeemShares: HOLDING,
  splitStock: { numerator: 2, denominator: 1 },
  continueSplit: {},
  freezeShares: HOLDING,
  unfreezeShares: HOLDING,
  forceTransferShares: { from: ADDRESS, to: ACCOUNT.account, amount: '1' },
  releaseSurplus: { agent: ADDRESS, ...HOLDING },
  pauseStock: {},
  unpauseStock: {},
  addController: ACCOUNT,
  removeController: ACCOUNT,
  addSubIssuer: ACCOUNT,
  removeSubIssuer: ACCOUNT,
  setSubIssuerCap: { ...ACCOUNT, cap: '1' },
  allowSubIssuers: { allowed: true },
  announceIdentityRegistry: { identityRegistry: ADDRESS },
  setIdentityRegistry: { identityRegistry: ADDRESS },
  addAuthorizedContract: ACCOUNT,
  removeAuthorizedContract: ACCOUNT,
  setHoldingLimits: { maxHolding: '10', minHolding: '1' },
  setLockup: { ...ACCOUNT, until: 4_000_000_000 },
  updateStock: { name: 'Nordlicht' },
}
