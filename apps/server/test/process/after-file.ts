import { afterAll } from 'vitest'
import { cleanUp } from './cleanup.ts'

// A set-up file of vitest: a worker loads other modules once, but this one for each file of tests, so that none leaves its programs running.
afterAll(cleanUp)
