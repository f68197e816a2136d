// Started by tests as a process of its own: starts what it is told to, reports it on one line and then either waits to
// be killed or stops again.
import { type EngineName, startChain, startPostgres } from '../src/index.ts'

const [program, path = '', then] = process.argv.slice(2)
const running =
  program === 'postgres'
    ? await startPostgres({ dataDir: path, durable: false })
    : await startChain({
        ...(path === '' ? {} : { folder: path }),
        engine: program as EngineName,
        now: () => new Date(),
      })
if (then === 'stop') await running.stop()
console.log(JSON.stringify({ url: running.url, pid: running.pid, uid: process.getuid?.() }))
if (then === 'wait') setInterval(() => undefined, 60_000)
