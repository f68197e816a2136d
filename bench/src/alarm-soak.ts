import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startAlarmDemo } from './soak/alarm-demo.ts'

// The demo with its bots, left alone: whatever the invariant monitor raises is a false alarm. Then a market is robbed.
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error('--minutes is a number')
const REPORTED_WITHIN_SECONDS = 30
const RAISED = 'a contract broke a promise'
const DISMISSED = 'tally_invariant_suspicions_dismissed_total'

const total = (series: ReadonlyMap<string, number>) => [...series.values()].reduce((sum, value) => sum + value, 0)
const demo = await startAlarmDemo()

async function leaveAlone() {
  const seen = new Set<string>()
  const looks = new Set<number>()
  for (let until = Date.now() + minutes * 60_000; Date.now() < until; await sleep(1_000)) {
    for (const label of (await demo.series('tally_invariant_broken')).keys()) seen.add(label)
    for (const at of (await demo.series('tally_invariants_checked_timestamp_seconds')).values()) looks.add(at)
  }
  const unread = total(await demo.series('tally_invariants_unread'))
  return { alarms: demo.logged(RAISED), shown: seen.size, looks: looks.size, unread }
}

async function timeToAlarm(): Promise<{ market: string; seconds: number }> {
  const market = await demo.rob()
  const robbedAt = Date.now()
  const isShown = async () =>
    [...(await demo.series('tally_invariant_broken')).keys()].some((label) => label.includes(market.toLowerCase()))
  while (!(await isShown()) && Date.now() - robbedAt < 2 * REPORTED_WITHIN_SECONDS * 1000) await sleep(100)
  return { market, seconds: (Date.now() - robbedAt) / 1000 }
}

let isGood = false
try {
  console.log(`alarms: the demo with bots for ${minutes} minutes`)
  const { alarms, shown, looks, unread } = await leaveAlone()
  const held = total(await demo.series('tally_invariants_held'))
  const blocks = total(await demo.series('tally_chain_head'))
  const dismissed = total(await demo.series(DISMISSED))
  const robbed = await timeToAlarm()
  console.log(`
minutes              ${minutes}, ${blocks} blocks
looks                ${looks}, ${held} promises in the last one, ${unread} contracts unread
false alarms         ${alarms.length} in the log, ${shown} in the metrics (0)
dismissed            ${dismissed} promises that one look doubted and the next did not
robbed               ${robbed.market}, reported after ${robbed.seconds.toFixed(1)} s (at most ${REPORTED_WITHIN_SECONDS})`)
  for (const alarm of alarms) console.log(`  ${JSON.stringify(alarm)}`)
  isGood = alarms.length + shown + unread === 0 && looks > 0 && held > 0 && robbed.seconds <= REPORTED_WITHIN_SECONDS
} finally {
  await demo.stop()
}
process.exit(isGood ? 0 : 1)
