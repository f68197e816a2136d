import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartFailedError } from '../errors.ts'
import { callRpc } from './json-rpc.ts'

export const multicall3Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

const require = createRequire(import.meta.url)

/** Public chains have Multicall3 at this address; a new local chain gets it by decree. */
export async function ensureMulticall3(url: string): Promise<void> {
  if ((await callRpc(url, 'eth_getCode', [multicall3Address, 'latest'])) !== '0x') return
  // A call without a receiver runs creation code and answers with the code it would install.
  const runtimeCode = await callRpc(url, 'eth_call', [{ data: creationCode() }, 'latest'])
  await callRpc(url, 'anvil_setCode', [multicall3Address, runtimeCode])
}

/** viem carries the creation code but does not list it among its exports, so it is loaded by its path. */
function creationCode(): string {
  const constants = require(join(dirname(require.resolve('viem')), 'constants', 'contracts.js')) as object
  if ('multicall3Bytecode' in constants && typeof constants.multicall3Bytecode === 'string') {
    return constants.multicall3Bytecode
  }
  throw new StartFailedError('The installed viem does not carry the creation code of Multicall3.')
}
