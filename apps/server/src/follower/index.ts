export { startFollowJob } from './follow.job.ts'
export { createFollower, type Follower } from './follower.service.ts'
