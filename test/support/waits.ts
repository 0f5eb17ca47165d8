/** Test files that wait in real time: how often, and why time cannot be driven there. */
export const WAITS: Record<string, { times: number; why: string }> = {};
