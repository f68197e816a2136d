interface Built {
  readonly action: 'SIGN_TRANSACTION'
  readonly transaction: { to: string; data: string; value: '0'; chainId: number }
  readonly functionName: string
  readonly simulation: object
}

/** The same build with `to` and `data` in the transaction, and all four fields beside it. */
export function asShapeB<B extends Built>({ transaction, ...rest }: B) {
  const { to, data, value, chainId } = transaction
  return { ...rest, transaction: { to, data }, to, data, value, chainId }
}
