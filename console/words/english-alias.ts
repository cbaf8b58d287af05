export const englishAlias = {
  heading: 'Target',
  state: 'State',
  states: {
    new: 'Waits for the first answer',
    resolved: 'Resolved',
    missing: 'No addresses',
    failing: 'No usable answer',
    refused: 'Addresses not public',
    looping: 'Leads back to itself',
  },
  problem: 'Problem',
  addresses: 'Addresses',
  none: 'None',
  resolved: 'Last resolved',
};
