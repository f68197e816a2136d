import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { REQUESTS, type Request, type RequestNotice, serverNow, useRequests } from '../api/rfq.ts'
import { streamRequests } from '../api/stream.ts'
import { withNotice } from './requests.ts'

/** All requests, kept by the stream; after a break it goes on where it stopped. */
export function useLiveRequests() {
  const client = useQueryClient()
  const requests = useRequests()
  const [isLost, setLost] = useState(false)
  const isRead = requests.data !== undefined
  useEffect(() => {
    // What is read first shows where things stand; the stream begins behind it and is told nothing twice that matters.
    if (!isRead) return
    const stop = new AbortController()
    const onOpen = () => {
      setLost(false)
      // Between the first reading and the stream something may have happened: a request that nobody sees is over in seconds.
      void client.invalidateQueries({ queryKey: REQUESTS })
    }
    const follow = async () => {
      for await (const notice of streamRequests({ signal: stop.signal, onOpen, onLost: () => setLost(true) })) {
        client.setQueryData<readonly Request[]>(REQUESTS, (known = []) => withNotice(known, notice as RequestNotice))
        // What is being read meanwhile may be from before the notice, and would take it away again.
        if (client.isFetching({ queryKey: REQUESTS, exact: true }) > 0)
          void client.invalidateQueries({ queryKey: REQUESTS, exact: true })
      }
    }
    void follow().catch(() => setLost(!stop.signal.aborted))
    return () => stop.abort()
  }, [client, isRead])
  return { requests, isLost }
}

const TICK_MS = 250

/** The time of the service, a few times a second: for countdowns. */
export function useServerTime(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
