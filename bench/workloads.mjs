const ALL = [1, 8, 32];

/** Workloads with their connection counts; a contestant takes part where it has a template. */
export const WORKLOADS = [
  { name: 'create', connections: ALL },
  { name: 'create in 32 domains', connections: ALL },
  { name: 'get', connections: ALL },
  { name: 'update', connections: ALL },
  { name: 'delete', connections: ALL },
  { name: 'list of 20', connections: ALL },
  { name: 'get quota', connections: ALL },
  { name: 'change sets of 100', connections: [1, 8] },
  { name: 'import', connections: [1] },
  { name: 'export', connections: [1, 8] },
  { name: 'export after a change', connections: [1, 8] },
];

/** The same work through both versions, and how many times as fast as Designate's it is to be. */
export const VERSION_2 = [
  { work: 'create', version1: 'create', version2: 'create record set', timesDesignate: 100 },
  { work: 'show', version1: 'get', version2: 'get record set', timesDesignate: 20 },
  { work: 'list of 20', version1: 'list of 20', version2: 'list of 20 record sets', timesDesignate: 20 },
  { work: 'create a zone', version1: 'create domain', version2: 'create zone', timesDesignate: 100 },
];

/** How many records are there to be deleted; a measurement that has used them up is over. */
export const DELETIONS_PER_SECOND = 2000;
