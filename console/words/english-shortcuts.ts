export const englishShortcuts = {
  title: 'Keyboard shortcuts',
  on: 'Use single keys as shortcuts',
  keys: {
    '/': 'Search',
    a: 'Add a record',
    e: 'Edit the row in focus',
    x: 'Select the row in focus',
    Delete: 'Delete the row in focus',
    r: 'Review changes',
    'Ctrl + Enter': 'Apply the plan',
    u: 'Undo the last applied change',
    'g z': 'Go to the zones',
    'Ctrl + K': 'Go to a zone or a screen by name',
    '?': 'Show this list',
  },
};
