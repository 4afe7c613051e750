#include <assert.h>
struct s{int v;};
int main(int argc,char**argv){ if(argc>1) assert(argv[1][0]!='x'); return 0; }
