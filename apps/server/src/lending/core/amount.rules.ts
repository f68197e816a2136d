/** No book of the contracts holds more. */
export const LARGEST_BOOKED = 2n ** 128n - 1n

/** The finest that any token here can be: before its market is known, nothing finer can be refused, and nothing for its size. */
export const FINEST = 36
