import type { Address, Hex } from '@tallystick/sdk'

/** Told everything that a journey does; the tour prints it, the test keeps silent. */
export interface Observer {
  step(title: string): void
  request(method: string, path: string, body: unknown, status: number): void
  signed(wallet: string, what: { to: Address | undefined; data: Hex | undefined } | { typedData: string }): void
  show(what: string, value: unknown): void
}

/** fetch, with what is sent told to somebody. */
export function observedFetch(observer: Observer): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const response = await fetch(input, init)
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    observer.request(init?.method ?? 'GET', `${url.pathname}${url.search}`, body, response.status)
    return response
  }
}
