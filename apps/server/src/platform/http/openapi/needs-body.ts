import type { Operation } from '@tallystick/wire'

/** Where no field is required, no body at all says the same as an empty one. */
export function needsBody({ body }: Operation): boolean {
  const required = (body as { required?: string[] } | undefined)?.required ?? []
  return required.length > 0
}
