import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Servers in a process of their own, which says on which ports they listen, in one line of JSON, and serves until it is stopped. */
export async function startServing<Ports>(args: readonly string[]) {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { ports: JSON.parse(line) as Ports, pid: child.pid ?? 0, stop: () => child.kill('SIGKILL') }
}
