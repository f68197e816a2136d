/** Bodies of the right form, by operation. */
export const extensionsBodies: Record<string, Record<string, unknown>> = {
  proposeExtension: { kind: 'FLOOR', newDueAt: 4_000_000_000 },
  confirmExtensionTransaction: { txHash: `0x${'7'.repeat(64)}` },
  actOnExtension: {},
  setAllowExtension: { allowed: true },
}
