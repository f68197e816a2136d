/** One reading of events: the blocks after `from`, up to and including `to`. */
export interface Scan {
  readonly addresses: readonly string[]
  readonly from: bigint
  readonly to: bigint
}

/** Contracts that were read equally far are read together; one that lags far behind catches up in steps that a node can serve. */
export function planScans(
  watched: readonly { readonly address: string; readonly scannedTo: bigint }[],
  to: bigint,
  mostBlocks: bigint,
): Scan[] {
  const groups = new Map<bigint, string[]>()
  for (const { address, scannedTo } of watched) {
    if (scannedTo >= to) continue
    const group = groups.get(scannedTo)
    if (group) group.push(address)
    else groups.set(scannedTo, [address])
  }
  return [...groups].map(([from, addresses]) => ({
    addresses,
    from,
    to: from + mostBlocks < to ? from + mostBlocks : to,
  }))
}
