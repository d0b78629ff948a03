# Completes command lines of tunic in bash: source <(tunic completion bash)
_tunic() {
	local line IFS=$'\n'
	COMPREPLY=()
	for line in $("$1" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
		COMPREPLY+=("${line%%$'\t'*}")
	done
}
complete -o default -F _tunic tunic
