/** Of this release; `npm run release` raises it. */
export const VERSION = '0.1.0'
