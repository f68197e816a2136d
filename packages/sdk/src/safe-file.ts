import type { Bound } from './method.ts'
import type { BuildShape, Hex, RequestShape } from './operation.ts'
import type { CallOptions } from './transport.ts'

/** A batch as the Safe Transaction Builder opens it. */
export interface SafeFile {
  readonly version: '1.0'
  readonly chainId: string
  readonly createdAt: number
  readonly meta: { readonly name: string; readonly description: string; readonly txBuilderVersion: string }
  readonly transactions: ReadonlyArray<{
    to: string
    value: string
    data: Hex
    contractMethod: null
    contractInputsValues: null
  }>
}

/** Builds for a multi-signature wallet: the calls as a file that its owners sign. The hash is reported as usual. */
export async function safeFile<S extends BuildShape>(
  method: Bound<S>,
  request: S['request'],
  options: CallOptions = {},
): Promise<SafeFile> {
  const own: RequestShape = request
  const response = await method.transport.send(
    method.operation,
    { ...own, query: { ...own.query, format: 'safe' } },
    options,
  )
  return (await response.json()) as SafeFile
}
