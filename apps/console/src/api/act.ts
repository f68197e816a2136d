import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../ui/loading.tsx'

/** Does something that is no transaction, shows what is refused, and reads again what it may have changed. */
export function useAct(...changes: readonly string[]) {
  const client = useQueryClient()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  async function act<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> {
    setFault(undefined)
    setBusy(true)
    try {
      const answer = await work()
      await Promise.all(changes.map((key) => client.invalidateQueries({ queryKey: [key] })))
      return answer
    } catch (error) {
      setFault(messageOf(error))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { act, fault, isBusy }
}
