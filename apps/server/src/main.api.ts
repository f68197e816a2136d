import { startApi } from './api.ts'
import { ConfigError, parseConfig } from './platform/config.ts'
import { createLog } from './platform/log.ts'
import { runMain } from './run-main.ts'

await runMain(async () => {
  const config = parseConfig(process.env)
  if (!config.external)
    throw new ConfigError('This process needs DATABASE_URL and RPC_URL. For everything embedded, run npm start.')
  const log = createLog({ level: config.LOG_LEVEL })
  const api = await startApi(config, config.external, log)
  log.info({ url: api.url }, 'serving HTTP')
  return api
})
