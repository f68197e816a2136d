import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { isListeningOn } from './process-inspection.ts'

it.each(['127.0.0.1', '0.0.0.0'])('tells who listens on a port of %s', async (host) => {
  const server = createServer().listen(0, host)
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const other = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  const pid = other.pid ?? 0
  expect([isListeningOn(process.pid, port), isListeningOn(pid, port)]).toEqual([true, false])
  other.kill('SIGKILL')
  await once(other, 'exit')
  expect(isListeningOn(pid, port)).toBe(false)
})
