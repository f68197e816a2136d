import { setTimeout as sleep } from 'node:timers/promises'
import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { connectChain, deploy } from '@tallystick/testkit'
import { createOperatorService } from '../../../apps/server/src/access/index.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'
import { createInstanceModel, type InstanceModel } from './ledger.ts'

const TOKENS = 6
/** The chain writes its state down about once a second: tokens must be safe before it is killed. */
const CHAIN_DUMP_MS = 3_000

/** Tokens on the chain, and an instance for each client that imports them. */
export async function prepareInstances(
  deployment: { readonly databaseUrl: string; readonly rpcUrl: string },
  clients: number,
): Promise<InstanceModel[]> {
  const chain = connectChain(deployment.rpcUrl)
  const owner = chain.accounts[0]?.address
  const tokens: string[] = []
  for (let index = 1; index <= TOKENS; index++) {
    const args = [`Soak ${index}`, `SOAK${index}`, 6, owner]
    tokens.push((await deploy(chain, { abi: demoCashAbi, bytecode: demoCashBytecode, args })).toLowerCase())
  }
  const database = createDatabase({ url: deployment.databaseUrl, poolSize: 1, applicationName: 'tally-soak' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const models: InstanceModel[] = []
  for (let index = 1; index <= clients; index++) {
    const request = { name: `soak ${index}`, chainId: chain.chainId, environment: 'DEVELOPMENT' } as const
    models.push(
      createInstanceModel(await operator.createInstance({ ...request, services: ['external-tokens'] }), tokens),
    )
  }
  await database.close()
  await sleep(CHAIN_DUMP_MS)
  return models
}
