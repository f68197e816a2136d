import { startNodesFrom } from '@tallystick/embedded'
import { inject } from 'vitest'

// A set-up file of vitest: chain nodes of our own start from JavaScript.
startNodesFrom(inject('chainNode'))
