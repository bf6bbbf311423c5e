// The completion scripts of shells: they call the program for candidates, and complete file names by themselves.

export const completionScripts: Readonly<Record<string, string>> = {
  bash: `# catalog-import completion bash > /etc/bash_completion.d/catalog-import
_catalog_import() {
  local cur=\${COMP_WORDS[COMP_CWORD]} word line n=0
  local -a words=()
  # Bash splits words at = and :, and replaces only what follows.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((n)) && [[ $word == [=:]* || \${words[n-1]} == *[=:] ]]; then words[n-1]+=$word; else words[n++]=$word; fi
  done
  if [[ $cur == [=:] ]]; then cur=''; fi
  local kept=\${words[n-1]%"$cur"}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :file ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
    else
      line=\${line%%$'\\t'*}
      COMPREPLY+=("\${line#"$kept"}")
    fi
  done < <(catalog-import completion complete -- "\${words[@]}" 2>/dev/null)
  if [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _catalog_import catalog-import
`,
  zsh: `#compdef catalog-import
# catalog-import completion zsh > "\${fpath[1]}/_catalog-import"
_catalog_import() {
  local line word
  local -a found
  for line in "\${(@f)$(catalog-import completion complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    if [[ $line == :file ]]; then
      _files
    else
      word=\${line%%$'\\t'*}
      found+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  if (( $#found )); then _describe 'catalog-import' found; fi
}
if [[ $funcstack[1] == _catalog-import ]]; then _catalog_import "$@"; else compdef _catalog_import catalog-import; fi
`,
  fish: `# catalog-import completion fish > ~/.config/fish/completions/catalog-import.fish
function __catalog_import
  set -l words (commandline -opc) (commandline -ct)
  for line in (catalog-import completion complete -- $words[2..-1] 2>/dev/null)
    if test "$line" = :file
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c catalog-import -f -a '(__catalog_import)'
`,
  powershell: `# catalog-import completion powershell | Out-String | Invoke-Expression
# PowerShell asks no native completer for a script that exists, which is what npm makes on Windows next to the command for cmd.
if ((Get-Command catalog-import -ErrorAction SilentlyContinue).CommandType -eq 'ExternalScript') {
  Set-Alias -Name catalog-import -Value catalog-import.cmd -Scope Global
}
Register-ArgumentCompleter -Native -CommandName catalog-import, catalog-import.cmd -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $before = $commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.StartOffset -lt $cursorPosition }
  $words = @($before | ForEach-Object {
    if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
  })
  # An empty argument would be left out by Windows PowerShell.
  if ($wordToComplete -eq '') { $words += '""' }
  $found = @(catalog-import completion complete -- @words 2>$null)
  # Without results PowerShell completes the names of files itself; an empty one prevents it.
  if ($found.Count -eq 0) { return '' }
  $found | Where-Object { $_ -ne ':file' } | ForEach-Object {
    $word, $summary = $_ -split "\`t", 2
    if (-not $summary) { $summary = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $summary)
  }
}
`,
};
