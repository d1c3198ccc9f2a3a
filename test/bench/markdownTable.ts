/** A Markdown table whose columns line up in a terminal, formatted as Prettier does; the first row is its head. */
export function markdownTable(rows: string[][]): string {
	const [head = []] = rows;
	const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	const line = (row: string[]) =>
		`| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	const rule = widths.map((width) => '-'.repeat(width));
	return [head, rule, ...rows.slice(1)].map(line).join('\n');
}
