export const englishLabels = {
  heading: 'Labels',
  hint: 'One per line, as in team=web. They sort zones and limit access; name servers do not see them.',
  setHint: (name: string, type: string) => `Of all ${type} records at ${name}. One per line, as in owner=deploy.`,
  edit: 'Edit labels',
  save: 'Save labels',
  saved: 'The labels were saved.',
  none: 'None',
};
