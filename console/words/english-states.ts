/** The words of empty pages and of errors, the same on all pages. */
export const englishStates = {
  /** Links and buttons of empty pages. */
  go: {
    zones: 'All zones',
    records: 'Show records',
    changes: 'Show changes',
    allChanges: 'Changes of all zones',
    health: 'Check the health',
    nameServers: 'Name servers',
    seeAll: 'Show every tenant',
    newZone: 'Create a zone',
    newWebhook: 'Create a webhook',
    newToken: 'Create a token or key',
    usage: 'Usage',
    tokens: 'Tokens and keys',
    search: 'Search all zones',
    import: 'Import zone file',
    clearSearch: 'Clear search',
    clearFilters: 'Clear filters',
  },
  /** What a person can do about an error, behind the error itself. */
  remedies: {
    forbidden: 'Ask an admin for access, or sign in with another token.',
    tooMany: 'Wait a moment, then retry.',
    failed: 'Retry. If the error stays, ask your operator to look into the service log.',
    unanswered: 'Check your network connection.',
  },
};
