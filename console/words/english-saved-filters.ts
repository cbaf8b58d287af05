export const englishSavedFilters = {
  label: 'Saved filters',
  save: 'Save filter',
  name: 'Name',
  hint: 'This browser keeps the filter until you sign out. A filter of this name is replaced.',
  nameMissing: 'Enter a name, such as Customers.',
  saved: (name: string) => `The filter ${name} was saved.`,
  remove: (name: string) => `Delete the filter ${name}`,
  removed: (name: string) => `The filter ${name} was deleted.`,
  notStored: 'This browser does not let the page store the filter. Allow storage for this page.',
};
