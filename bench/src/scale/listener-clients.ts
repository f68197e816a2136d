import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { createCrowd } from './crowd.rules.ts'

/** Opens as many streams as it is told, in a process of its own, and says when all of the busy ones have had a commit. */
interface Wish {
  readonly path: string
  readonly keys: readonly string[]
  readonly each: number
  readonly isBusy: boolean
}

const [port = ''] = process.argv.slice(2)
/** An address has some 28,000 ports to call from. */
const ADDRESSES = 4
/** As many calls as a server takes in one go. */
const AT_ONCE = 50
const say = (word: object) => void process.stdout.write(`${JSON.stringify(word)}\n`)
const crowd = createCrowd((sequence) => say({ sequence, last: process.hrtime.bigint().toString() }))
let opened = 0

function listen({ path, isBusy }: Wish, key: string): Promise<void> {
  opened += 1
  const localAddress = `127.0.0.${2 + (opened % ADDRESSES)}`
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress })
    socket.setEncoding('latin1')
    let isHeard = false
    let rest = ''
    socket.on('data', (chunk: string) => {
      if (!isHeard) {
        if (!chunk.startsWith('HTTP/1.1 200')) reject(new Error(chunk))
        isHeard = true
        resolve()
      }
      if (!isBusy) return
      const records = (rest + chunk).split('\n\n')
      rest = records.pop() ?? ''
      for (const record of records) crowd.hear(record)
    })
    socket.on('error', reject)
    socket.on('close', () => say({ lost: path }))
    socket.write(`GET ${path} HTTP/1.1\r\nhost: bench\r\nx-api-key: ${key}\r\naccept: text/event-stream\r\n\r\n`)
  })
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const wish = JSON.parse(line) as Wish
  const keys = wish.keys.flatMap((key) => Array.from({ length: wish.each }, () => key))
  if (wish.isBusy) crowd.grow(keys.length)
  for (let at = 0; at < keys.length; at += AT_ONCE)
    await Promise.all(keys.slice(at, at + AT_ONCE).map((key) => listen(wish, key)))
  say({ listening: keys.length })
})
