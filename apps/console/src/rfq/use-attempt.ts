import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { REQUESTS } from '../api/rfq.ts'
import { type Said, saidAfter } from './outcome.ts'

/** One act about a request at a time: what it came to is said, also by whoever came first. */
export function useAttempt(requestId: string, onSaid: (said: Said | undefined) => void) {
  const client = useQueryClient()
  // State is known after the next render only: a second click comes before.
  const busy = useRef(false)
  const [isBusy, setBusy] = useState(false)

  async function attempt(work: () => Promise<unknown>, done: string | undefined): Promise<void> {
    if (busy.current) return
    busy.current = true
    setBusy(true)
    onSaid(undefined)
    try {
      await work()
      onSaid(done === undefined ? undefined : { tone: 'good', text: done })
    } catch (error) {
      onSaid(await saidAfter(error, requestId))
    } finally {
      busy.current = false
      setBusy(false)
      void client.invalidateQueries({ queryKey: REQUESTS })
    }
  }
  return { attempt, isBusy }
}
