export { type FollowJob, startFollowJob } from './follow.job.ts'
export { createFollower, type Follower, type PassReport } from './follower.service.ts'
