/** An unsigned call as the interface answers it. */
export interface BuiltTransaction {
  readonly to: string
  readonly data: string
  readonly value: string
  readonly chainId: number
}

/** The same calls as a file that the Safe Transaction Builder opens. */
export function asSafeFile(name: string, transactions: readonly BuiltTransaction[], createdAt: Date) {
  return {
    version: '1.0',
    chainId: String(transactions[0]?.chainId ?? 0),
    createdAt: createdAt.getTime(),
    meta: { name, description: 'Built by Tallystick', txBuilderVersion: '1.17.1' },
    transactions: transactions.map(({ to, data, value }) => ({
      to,
      value,
      data,
      contractMethod: null,
      contractInputsValues: null,
    })),
  }
}
