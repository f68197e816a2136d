import { Type } from 'typebox'

const closed = { additionalProperties: false } as const

export const StreamHeartbeat = Type.Object(
  { type: Type.Literal('heartbeat'), at: Type.String({ description: 'All up to here was sent.' }) },
  closed,
)

export const StreamEnd = Type.Object(
  {
    type: Type.Literal('end'),
    reason: Type.String({ description: 'A code: why the server ends the stream.' }),
  },
  closed,
)
