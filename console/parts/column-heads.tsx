/** The head of a table whose columns all have a label that is seen. */
export function ColumnHeads({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  return (
    <thead>
      <tr>
        {Object.entries(labels).map(([name, label]) => (
          <th key={name} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
  );
}
