import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Instant } from '../primitives.ts'

export const createStreamTicket = defineOperation({
  feature: 'access',
  id: 'createStreamTicket',
  secret: true,
  method: 'POST',
  path: '/access/api/stream-tickets',
  scope: 'access:read',
  summary: 'Make a ticket for a stream',
  description:
    'Opens one stream, once, within 60 seconds, as `?ticket=` on the `path` that it was made for: browsers send no header along with a stream, and a key never goes into an address. The stream has the rights of the key or session that asks here, and ends with it. A ticket that a session made works from the console only.',
  body: Type.Object(
    { path: Type.String({ maxLength: 300, description: 'Of the stream, without its query.' }) },
    { additionalProperties: false },
  ),
  legs: {
    write: {
      data: Type.Object(
        { ticket: Type.String({ description: 'Shown once.' }), path: Type.String(), expiresAt: Instant },
        { additionalProperties: false },
      ),
      errors: {
        ...validationErrors,
        STREAM_NOT_FOUND: { status: 404, message: 'No stream is served under this path.' },
      },
    },
  },
})
