/**
 * Stages of a request, by the nearest caller in these files, seen from the function that ran. The first match counts.
 * What a `whole` stage calls belongs to it.
 */
const STAGES = [
  { stage: 'waiting', name: /^\(idle\)$/ },
  { stage: 'garbage collection', name: /^\(garbage collector\)$/ },
  { stage: 'kernel and V8', name: /^\((program|root)\)$/ },
  { stage: 'COMMIT', name: /^commit/i, file: /database\/sqlite/, whole: true },
  { stage: 'journal', file: /src\/(zones\/journal|feed)\//, whole: true },
  { stage: 'token', file: /src\/auth\//, whole: true },
  { stage: 'statements', file: /src\/database\// },
  { stage: 'judgment', file: /src\/(records\/(?!v1)|dns\/|zones\/|quotas\/)/ },
  { stage: 'body', file: /src\/http\/bodies\/|raw-body|body-parser|class-(validator|transformer)/ },
  { stage: 'guards, pipes, interceptors', file: /@nestjs\/|reflect-metadata|rxjs/ },
  { stage: 'routing', file: /node_modules\/(router|express|path-to-regexp|parseurl)\// },
  { stage: 'answer', file: /src\/records\/v1\/|node:_http_outgoing/ },
  { stage: 'HTTP, the service', file: /src\// },
  { stage: 'socket and HTTP, Node.js', file: /^node:/ },
];
const REST = { stage: 'others' };

/** @returns microseconds of one request by stage, of a profile that V8 sampled while `requests` were answered */
export function stagesOf({ nodes, samples, timeDeltas }, requests) {
  const stageById = stagesById(nodes);
  const taken = new Map([...STAGES, REST].map(({ stage }) => [stage, 0]));
  for (const [at, id] of samples.entries()) {
    const { stage } = stageById.get(id) ?? REST;
    taken.set(stage, taken.get(stage) + timeDeltas[at]);
  }
  return Object.fromEntries([...taken].map(([stage, time]) => [stage, Math.round((time / requests) * 10) / 10]));
}

/** Nodes are listed from the root on, each before its children. */
function stagesById(nodes) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const stages = new Map();
  for (const { id, callFrame } of nodes) {
    const stageOfCaller = stages.get(parents.get(id));
    stages.set(id, stageOfCaller?.whole === true ? stageOfCaller : (stageOf(callFrame) ?? stageOfCaller));
  }
  return stages;
}

function stageOf({ functionName, url }) {
  return STAGES.find(({ name, file }) => (name?.test(functionName) ?? true) && (file?.test(url) ?? true));
}
